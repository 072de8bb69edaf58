// Details: parts that Python computes at rest, when they are in view. A move of a slider makes them stale, and never waits for them.

const DETAIL_PAUSE_MS = 60;

function createDetails(page) {
  const details = new Map(page.layout.details.map((name) => [name, { parts: [], inView: new Set(), stale: true, arrays: null, texts: {} }]));
  let pause = null, placed = details.size === 0;
  const wanted = () => [...details].filter(([, { stale, inView }]) => stale && inView.size).map(([name]) => name);
  const soon = () => {
    page.root.dataset.rest = String(placed && !wanted().length);
    clearTimeout(pause);
    pause = setTimeout(ask, DETAIL_PAUSE_MS);
  };
  /** What is stale and in view, once nothing else waits: an answer on its way asks again. */
  function ask() {
    const names = wanted();
    if (names.length && !page.queue.waits) page.queue.send({ action: 'detail', names });
  }
  const seen = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) details.get(target.dataset.detail).inView[isIntersecting ? 'add' : 'delete'](target);
    placed = true;
    soon();
  }, { rootMargin: '160px' });
  return {
    soon,
    add(name, part) {
      part.element.dataset.detail = name;
      details.get(name).parts.push(part);
      detailBusy(details.get(name), true);
      seen.observe(part.element);
    },
    /** A part in no card, that is only told: it is never asked for, and hears when its answer is out of date. */
    hear(name, part) {
      details.set(name, { parts: [part], inView: new Set(), stale: false, arrays: null, texts: {} });
    },
    /** What nobody hears, a dialog that the link hides, is not out of date. */
    outdate(names) {
      for (const name of names.filter((one) => details.has(one))) {
        detailBusy(details.get(name), true);
        for (const part of details.get(name).parts) part.outdated?.();
      }
    },
    take(frame, floats) {
      page.queue.answered(frame.sequence);
      for (const [name, texts] of Object.entries(frame.texts)) {
        const detail = details.get(name);
        Object.assign(detail, { texts, arrays: new Map() });
        detailBusy(detail, false);
      }
      for (const [path, place] of Object.entries(frame.arrays)) {
        const [name, array] = path.split('/');
        details.get(name).arrays.set(array, arrayAt(floats, place));
      }
      for (const name of Object.keys(frame.texts)) detailPaint(details.get(name), page);
    },
    paint() {
      for (const detail of details.values()) detailPaint(detail, page);
    },
    stop() { seen.disconnect(); clearTimeout(pause); },
  };
}

/** What is stale is painted by its own answer, but for parts that follow the page's own values too: those are `alive`. */
function detailPaint({ parts, arrays, texts, stale }, page) {
  if (!arrays) return;
  for (const part of parts) if (!stale || part.alive) part.update(arrays, texts, page);
}

/** Dimmed and busy from the move that made it stale until its own answer. */
function detailBusy(detail, stale) {
  detail.stale = stale;
  for (const { element } of detail.parts) {
    element.classList.toggle('stale', stale);
    element.setAttribute('aria-busy', String(stale));
  }
}
