/* Runs before the page is painted: it only says that scripts run, and lets a person choose light or dark. */
"use strict";
(() => {
  const root = document.documentElement;
  root.dataset.js = "1";

  const shown = () => root.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");

  const choose = (theme) => {
    root.dataset.theme = theme;
    const secure = location.protocol === "https:" ? "; Secure" : "";
    document.cookie = `theme=${theme}; Path=/; Max-Age=31536000; SameSite=Lax${secure}`;
    root.dispatchEvent(new CustomEvent("themechange"));
  };

  const label = (button) => {
    const next = shown() === "dark" ? "light" : "dark";
    button.textContent = next === "dark" ? "Dark" : "Light";
    button.setAttribute("aria-label", `Show in ${next} colours`);
  };

  document.addEventListener("DOMContentLoaded", () => {
    const button = document.querySelector("[data-theme-toggle]");
    if (button) {
      label(button);
      button.addEventListener("click", () => {
        choose(shown() === "dark" ? "light" : "dark");
        label(button);
      });
    }
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
      root.dispatchEvent(new CustomEvent("themechange"));
      if (button) label(button);
    });
    for (const form of document.querySelectorAll("form[data-submits-itself]")) {
      form.addEventListener("change", () => form.requestSubmit());
    }
    document.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      for (const term of document.querySelectorAll("details.term[open]")) term.open = false;
    });
    document.addEventListener("click", (event) => {
      for (const term of document.querySelectorAll("details.term[open]")) {
        if (!term.contains(event.target)) term.open = false;
      }
    });
  });
})();
