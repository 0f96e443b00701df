/* The inbox: pick all of a page, say how many are picked, ask for a time only where one is chosen; the open count. */
"use strict";
(() => {
  const form = () => document.getElementById("moving");
  const picks = () => [...(form()?.querySelectorAll("input[name=alert]") ?? [])];

  const tell = () => {
    const place = form()?.querySelector("[data-picked]");
    if (!place) return;
    const count = picks().filter((one) => one.checked).length;
    place.textContent = count ? `${count} picked` : "None picked";
    const every = form().querySelector("[data-picks-all]");
    every.checked = count > 0 && count === picks().length;
    every.indeterminate = count > 0 && count < picks().length;
  };

  const time = () => {
    for (const choice of document.querySelectorAll("select[name=until]")) {
      choice.form.querySelector(".own-time")?.classList.toggle("asked", choice.value === "at");
    }
  };

  document.addEventListener("change", ({ target }) => {
    if (target.matches?.("[data-picks-all]")) for (const one of picks()) one.checked = target.checked;
    if (target.closest?.("#moving")) tell();
    if (target.matches?.("select[name=until]")) time();
  });
  const begin = () => { tell(); time(); };
  document.addEventListener("DOMContentLoaded", begin);
  document.addEventListener("htmx:afterSettle", begin);
  document.addEventListener("htmx:historyRestore", begin);
  addEventListener("pageshow", begin);
})();
