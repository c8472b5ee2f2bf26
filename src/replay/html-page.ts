import { chartColours, chartDashes, escapeHtml } from './charts.js';

/** A page with its style, without scripts and without anything from outside. @param body as HTML. */
export function htmlPage(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
${body}
</main>
</body>
</html>
`;
}

/** Sentences that qualify what the page shows. */
export function noticesHtml(texts: readonly string[]): string {
  return texts.map((text) => `<p class="notice">${escapeHtml(text)}</p>`).join('');
}

/** Cells of text as a table. @param head names of the columns; undefined: it has none. */
export function table(
  head: readonly string[] | undefined,
  rows: readonly (readonly string[])[],
): string {
  const columns = head?.map((name) => `<th scope="col">${escapeHtml(name)}</th>`).join('');
  const body = rows.map(([first = '', ...rest]) => {
    const cells = rest.map((cell) => `<td>${escapeHtml(cell)}</td>`).join('');
    return `<tr><th scope="row">${escapeHtml(first)}</th>${cells}</tr>`;
  });
  const top = columns === undefined ? '' : `<thead><tr>${columns}</tr></thead>`;
  return `<div class="scroll"><table>${top}<tbody>${body.join('')}</tbody></table></div>`;
}

const style = `
:root{color-scheme:light dark;--back:#fff;--text:#1a1a1a;--soft:#5c5c5c;--grid:#d9d9d9;--warn:#8a3b00;--c0:#0b62c4;--c1:#b8450a;--c2:#1d7a38;--c3:#8a2ea8;--c4:#7d6400;--c5:#a81d49}
@media(prefers-color-scheme:dark){:root{--back:#16181b;--text:#e8e8e8;--soft:#a8a8a8;--grid:#383c42;--warn:#ffb37a;--c0:#6db1ff;--c1:#ff9e66;--c2:#6fd08a;--c3:#d391ea;--c4:#e0c44a;--c5:#ff85a8}}
body{margin:0;background:var(--back);color:var(--text);font:15px/1.5 system-ui,sans-serif}
main{max-width:920px;margin:0 auto;padding:1rem}
h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2rem}
.scroll{overflow-x:auto}
table{border-collapse:collapse;font-variant-numeric:tabular-nums}
th,td{padding:.25rem .7rem .25rem 0;text-align:left;vertical-align:top;border-bottom:1px solid var(--grid)}
th{font-weight:600}
.notice,.warning td{color:var(--warn)}.mark td{font-weight:600}
svg{width:100%;height:auto;display:block}svg text{fill:var(--soft);font-size:11px}
.line{fill:none;stroke-width:1.4}.grid{stroke:var(--grid)}.limit{stroke:var(--soft);stroke-dasharray:4 3}
.legend{list-style:none;display:flex;flex-wrap:wrap;gap:.2rem 1rem;padding:0;margin:.3rem 0}
.swatch{display:inline-block;width:28px;height:8px;margin-right:.4em}.swatch .line{stroke-width:3}
${Array.from({ length: chartColours }, (_, i) => `.line.c${i}{stroke:var(--c${i})}.dot.c${i}{fill:var(--c${i})}`).join('')}
${chartDashes.map((dash, i) => `.line.d${i}{stroke-dasharray:${dash}}`).join('')}
`;
