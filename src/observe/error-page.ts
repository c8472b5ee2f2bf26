import { readFileSync } from 'node:fs';

const source = new URL('../../docs/reference/errors.md', import.meta.url);

/** `docs/reference/errors.md` as a page with one anchor for each code. */
export function errorPage(): string {
  const lines = readFileSync(source, 'utf8').split('\n');
  const body = lines.map((line) => {
    const heading = /^### (HLC_[A-Z0-9_]+)$/.exec(line)?.[1];
    if (heading !== undefined) return `<h3 id="${heading.toLowerCase()}">${heading}</h3>`;
    if (line.startsWith('```') || line.startsWith('<!--')) return '';
    const title = /^(#{1,2}) (.+)$/.exec(line);
    if (title !== null)
      return `<h${title[1]?.length ?? 1}>${escaped(title[2] ?? '')}</h${title[1]?.length ?? 1}>`;
    return line === '' ? '' : `<p>${escaped(line)}</p>`;
  });
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Errors</title></head><body>${body.join('\n')}</body></html>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
