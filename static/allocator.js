/* The allocator's grids: what is pointed at is told and shown in every plan; arrow keys walk from job to job. */
"use strict";
(() => {
  const plans = () => document.getElementById("plans");
  const told = () => document.getElementById("pointed");
  const jobs = (walk) => [...walk.querySelectorAll(".lane-job")];

  /* --- pointing ------------------------------------------------------------------ */

  const point = (job) => {
    if (!plans() || !told()) return;
    const at = job?.dataset.at;
    plans().classList.toggle("pointing", at !== undefined);
    for (const one of document.querySelectorAll("#plans .lane-job, .jobs tr[data-at]")) {
      one.classList.toggle("near", at !== undefined && one.dataset.at === at);
    }
    told().dataset.plain ??= told().textContent;
    const reason = document.querySelector(`.jobs tr[data-at="${at}"] .reason`)?.textContent;
    told().textContent = job ? [job.getAttribute("aria-label"), reason].filter(Boolean).join(". ") : told().dataset.plain;
    told().classList.toggle("told", Boolean(job));
  };

  const under = (event) => event.target.closest?.("#plans .lane-job");
  document.addEventListener("pointerover", (event) => {
    if (under(event)) point(under(event));
    else if (event.target.closest?.("#plans") && !document.activeElement?.matches(".lane-job")) point(null);
  });
  document.addEventListener("pointerout", (event) => {
    if (plans()?.contains(event.target) && !plans().contains(event.relatedTarget)) point(document.activeElement?.closest(".lane-job"));
  });
  document.addEventListener("focusin", (event) => {
    if (under(event)) point(under(event));
  });
  document.addEventListener("focusout", (event) => {
    if (under(event) && !event.relatedTarget?.closest?.("#plans")) point(null);
  });

  /* --- walking ------------------------------------------------------------------- */

  /* One stop of the Tab key a grid; without this script the table below is the way. */
  const ready = () => document.querySelectorAll("[data-walk]:not([tabindex])").forEach((walk) => { walk.setAttribute("tabindex", "0"); });
  const STEP = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
  document.addEventListener("keydown", (event) => {
    const walk = event.target.closest?.("[data-walk]");
    if (!walk || event.ctrlKey || event.metaKey || event.altKey) return;
    const all = jobs(walk);
    const at = all.indexOf(event.target.closest(".lane-job"));
    const to = event.key === "Home" ? 0 : event.key === "End" ? all.length - 1 : STEP[event.key] ? at + STEP[event.key] : null;
    if (event.key === "Escape" && at >= 0) walk.focus();
    if (to === null || !all.length) return;
    event.preventDefault();
    all[Math.max(0, Math.min(all.length - 1, to))].focus({ preventScroll: true });
  });

  /* --- the slider tells where it stands while it is moved --------------------------- */

  document.addEventListener("input", (event) => {
    const shown = document.querySelector(`[data-shows="${event.target.id}"]`);
    if (shown) shown.textContent = event.target.value;
  });

  document.addEventListener("DOMContentLoaded", ready);
  document.addEventListener("htmx:afterSettle", ready);
  document.addEventListener("htmx:historyRestore", ready);
})();
