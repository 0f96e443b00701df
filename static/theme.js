/* Runs before the page is painted: it only says that scripts run, and lets a person choose light or dark. */
"use strict";
(() => {
  const root = document.documentElement;
  root.dataset.js = "1";

  const systems = matchMedia("(prefers-color-scheme: dark)");
  const shown = () => root.dataset.theme || (systems.matches ? "dark" : "light");
  const told = () => root.dispatchEvent(new CustomEvent("themechange"));

  const choose = (theme) => {
    root.dataset.theme = theme;
    const secure = location.protocol === "https:" ? "; Secure" : "";
    document.cookie = `theme=${theme}; Path=/; Max-Age=31536000; SameSite=Lax${secure}`;
    told();
  };

  const label = () => {
    const next = shown() === "dark" ? "light" : "dark";
    for (const button of document.querySelectorAll("[data-theme-toggle]")) {
      button.textContent = next === "dark" ? "Dark" : "Light";
      button.setAttribute("aria-label", `Show in ${next} colours`);
    }
  };

  systems.addEventListener("change", told);
  root.addEventListener("themechange", label);
  document.addEventListener("DOMContentLoaded", label);
  document.addEventListener("htmx:afterSettle", label);
  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-theme-toggle]")) choose(shown() === "dark" ? "light" : "dark");
  });
})();
