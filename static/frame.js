/* What holds on every page: swapped pages behave like loaded ones, menus close, forms that submit themselves. */
"use strict";
(() => {
  const OPEN = "details.term[open], details.menu[open]";

  /* --- a swapped page behaves like a loaded one --------------------------- */

  /* What is no page of ours (a file, the admin) is left to the browser. */
  document.addEventListener("htmx:beforeSwap", (event) => {
    const { xhr, boosted, requestConfig } = event.detail;
    const page = (xhr.getResponseHeader("Content-Type") || "").startsWith("text/html") && xhr.response.includes('<main id="main"');
    if (boosted && !page) {
      event.detail.shouldSwap = false;
      if (requestConfig.verb === "get") location.assign(xhr.responseURL || requestConfig.path);
    }
    if (!boosted && xhr.status >= 400 && page) event.detail.selectOverride = ".empty";
  });

  /* Where nobody answers the browser says so better than we could. */
  document.addEventListener("htmx:sendError", ({ detail: { requestConfig } }) => {
    if (requestConfig.boosted && requestConfig.verb === "get") location.assign(requestConfig.path);
  });

  /* Where a page was left, so that the way back leads there; a new page begins at its top, or where its address says. */
  const places = new Map();
  const arrive = (element) => {
    if (element.id !== "main" && element.tabIndex < 0) element.tabIndex = -1;
    element.focus({ preventScroll: true });
  };
  const anchor = () => (location.hash ? document.getElementById(decodeURIComponent(location.hash.slice(1))) : null);

  /* What a screen reader hears of a swap: what was done, else where one is now. */
  const say = () => {
    const told = document.querySelector(".messages")?.textContent.trim();
    document.getElementById("said").textContent = told || document.title;
  };

  let left = location.pathname;
  document.addEventListener("htmx:beforeRequest", ({ detail: { boosted } }) => {
    if (!boosted) return;  // a part that is fetched while a page arrives leaves nothing
    left = location.pathname;
    places.set(location.href, scrollY);
  });
  document.addEventListener("htmx:beforeHistoryUpdate", ({ detail: { history } }) => {
    if (history.type === "push" && history.path === location.pathname + location.search) history.type = "replace";
  });
  document.addEventListener("htmx:afterSettle", (event) => {
    if (!event.detail.boosted) return;
    if (anchor()) {
      arrive(anchor());
    } else if (location.pathname !== left) {
      scrollTo(0, 0);
      arrive(document.getElementById("main"));
    }
    say();
  });
  document.addEventListener("htmx:historyRestore", () => {
    if (places.has(location.href)) scrollTo(0, places.get(location.href));
    else anchor()?.scrollIntoView();
    say();
  });

  /* --- what comes only when it is looked for --------------------------------- */

  /* An address may name a figure that is not there yet: seen, its place fetches it, and then it is gone to. */
  let sought = "";
  const seek = () => {
    const place = location.hash && (anchor() ? anchor().closest(".to-come") : document.getElementById("more"));
    sought = place ? location.hash : "";
    if (place) place.scrollIntoView();
  };
  const found = () => {
    if (!sought || sought !== location.hash || !anchor()) return;
    if (!anchor().closest(".to-come")) sought = "";  // else it is fetched now, and gone to again when it stands there
    anchor().scrollIntoView();
    arrive(anchor());
  };
  document.addEventListener("DOMContentLoaded", seek);
  addEventListener("hashchange", seek);
  document.addEventListener("htmx:afterSettle", ({ detail: { boosted } }) => (boosted ? seek() : found()));

  /* With shift, a link to some leads to all but those. */
  document.addEventListener("click", (event) => {
    const link = event.shiftKey && event.target.closest("a[data-without]");
    if (!link) return;
    event.preventDefault();
    event.stopPropagation();
    location.assign(link.dataset.without);
  }, true);

  /* --- menus and forms ------------------------------------------------------ */

  document.addEventListener("change", (event) => {
    const form = event.target.closest("form[data-submits-itself]");
    if (form) form.requestSubmit();
  });

  const close = (keep) => {
    for (const open of document.querySelectorAll(OPEN)) {
      if (!keep || !open.contains(keep)) open.open = false;
    }
  };
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") close(null);
  });
  document.addEventListener("click", ({ target }) => close(target.closest(".jump a") ? null : target));
})();
