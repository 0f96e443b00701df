/* Draws the figures a page carries as JSON, when they come into view, in the colours of the theme. */
"use strict";
(() => {
  const INK = /var\((--[a-z0-9-]+)\)/g;
  const LOST = "The chart could not be drawn; the table below has its numbers.";
  const PAPER = 700; // CSS pixels between the margins of an A4 page
  const root = document.documentElement;

  /* The ids tell plotly and its map library that their style sheets need not be written into the page. */
  let library = null;
  const plotly = () => library ??= new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.id = "9f215cf04c5486422605d13261cb87401f4e7763b6296af81e98efbc0130da53";
    script.src = root.dataset.plotly;
    script.addEventListener("load", () => resolve(window.Plotly));
    script.addEventListener("error", () => { library = null; script.remove(); reject(new Error("plotly did not load")); });
    document.head.append(script);
  });

  /* --- drawing --------------------------------------------------------------- */

  /* Figures name their colours as tokens; here they become the colours of the theme that is shown. */
  const inColours = (figure, element) => {
    const probe = document.createElement("span");
    element.append(probe);
    const colour = (_, name) => {
      probe.style.color = `var(${name})`;
      return getComputedStyle(probe).color;
    };
    const coloured = JSON.parse(JSON.stringify(figure).replace(INK, colour));
    probe.remove();
    return coloured;
  };

  const figureOf = (element) => JSON.parse(document.getElementById(element.dataset.figure).textContent);

  const draw = async (element, more = {}) => {
    try {
      const Plotly = window.Plotly ?? await plotly();
      if (!element.isConnected) return;
      const { data, layout } = inColours(figureOf(element), element);
      layout.font = { ...layout.font, family: getComputedStyle(document.body).fontFamily };
      await Plotly.react(element, data, { ...layout, ...more }, { displayModeBar: false, responsive: true, scrollZoom: false });
      if (!element.classList.contains("drawn")) element.on("plotly_click", follow);
      element.classList.toggle("leads", data.some((trace) => trace.meta?.leads));
      element.classList.add("drawn");
    } catch (error) {
      const waiting = element.querySelector(".waiting");
      if (waiting) waiting.textContent = LOST;
      throw error;
    }
  };

  /* A point leads to the address in its customdata, or to the one its trace puts it into; the table has the same link. */
  const follow = ({ points: [point] }) => {
    const [leads, part] = [point.data.meta?.leads, [point.customdata].flat()[0]];
    if (!leads || typeof part !== "string") return;
    const address = typeof leads === "string" ? leads.replace("{}", part) : part;
    const target = new URL(address, location.href);
    if (target.origin !== location.origin) return;
    const link = document.createElement("a");
    link.href = address;
    link.hidden = true;
    document.getElementById("main").append(link);
    window.htmx?.process(link);
    link.click();
  };

  const seen = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      seen.unobserve(target);
      draw(target);
    }
  }, { rootMargin: "200px" });

  const charts = () => [...document.querySelectorAll("[data-figure]")];
  const drawn = () => charts().filter((chart) => chart.classList.contains("drawn"));
  const scan = () => charts().filter((chart) => !chart.classList.contains("drawn")).forEach((chart) => seen.observe(chart));
  const forget = (element) => {
    if (!element.matches?.("[data-figure]")) return;
    seen.unobserve(element);
    if (element.classList.contains("drawn")) window.Plotly.purge(element);
  };

  document.addEventListener("DOMContentLoaded", scan);
  document.addEventListener("htmx:afterSettle", scan);
  document.addEventListener("htmx:historyRestore", scan);
  document.addEventListener("htmx:beforeCleanupElement", (event) => forget(event.detail.elt));
  root.addEventListener("themechange", () => drawn().forEach((chart) => draw(chart)));

  /* --- on paper, as a picture ---------------------------------------------------- */

  /* Paper is always light and as wide as A4. */
  addEventListener("beforeprint", () => {
    root.dataset.printing = "1";
    if (window.Plotly) charts().forEach((chart) => draw(chart, { width: PAPER, autosize: false }));
  });
  addEventListener("afterprint", () => {
    delete root.dataset.printing;
    drawn().forEach((chart) => draw(chart));
  });

  /* A picture leaves the page, so it takes its ground and its title along. */
  const savePicture = async (button) => {
    const chart = document.getElementById(button.dataset.savePicture);
    if (!chart.classList.contains("drawn")) await draw(chart);
    const { colours: { paper, ink } } = inColours({ colours: { paper: "var(--paper)", ink: "var(--ink)" } }, chart);
    const title = {
      text: button.dataset.title, x: 0, xref: "paper", xanchor: "left", y: 1, yref: "container", yanchor: "top",
      pad: { t: 12 }, font: { size: 16, color: ink },
    };
    const margin = { ...chart.layout.margin };
    const layout = { ...chart.layout, title, paper_bgcolor: paper, margin: { ...margin, t: 48, r: Math.max(16, margin.r ?? 16), b: Math.max(16, margin.b ?? 16) } };
    await window.Plotly.downloadImage({ data: chart.data, layout }, {
      format: button.dataset.format || "png", scale: 2, filename: button.dataset.filename,
      width: Math.max(chart.clientWidth, 800), height: chart.clientHeight + 48,
    });
  };
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-save-picture]");
    if (button) savePicture(button);
  });
})();
