/* Counts down to what happens next; without it the page shows what was left when it was made. */
"use strict";
(() => {
  const words = (minutes) => {
    const hours = Math.floor(minutes / 60), days = Math.floor(hours / 24);
    if (days) return `in ${days} d ${hours % 24} h`;
    return hours ? `in ${hours} h ${minutes % 60} min` : `in ${minutes} min`;
  };
  const tick = () => {
    for (const left of document.querySelectorAll("[data-until]")) {
      const seconds = (new Date(left.dataset.until) - Date.now()) / 1000;
      left.textContent = seconds > 0 ? words(Math.floor(seconds / 60)) : "has passed: load the page anew";
    }
  };
  tick();
  const timer = setInterval(() => (document.querySelector("[data-until]") ? tick() : clearInterval(timer)), 5000);
})();
