import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { allPages, anchorsOf, pageOf, type Page } from '../../support/markdown.js';

const pages = [
  ...allPages(),
  ...readdirSync('examples', { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => pageOf(`examples/${name}/README.md`)),
  pageOf('.github/pull_request_template.md'),
  pageOf('test/interop/README.md'),
];

/** The links of a page that lead to a place in this project. */
function linksOf({ text }: Page): string[] {
  const targets = Array.from(text.matchAll(/\]\(([^)\s]+)\)/g), ([, target = '']) => target);
  return targets.filter((target) => !/^[a-z]+:/.test(target));
}

function isBroken(page: Page, link: string): boolean {
  const [file = '', anchor] = link.split('#');
  const target = file === '' ? page.name : path.posix.join(path.posix.dirname(page.name), file);
  if (!existsSync(target)) return true;
  return anchor !== undefined && !anchorsOf(pageOf(target)).includes(anchor);
}

describe('the documentation', () => {
  it.each(pages)('of $name leads only to files and headings that exist', (page) => {
    expect(linksOf(page).filter((link) => isBroken(page, link))).toEqual([]);
  });

  it('has each page of docs/ in its index', () => {
    const linked = linksOf(pageOf('docs/README.md')).map((link) => `docs/${link}`);
    const pages = allPages().filter(
      ({ name }) => name.startsWith('docs/') && name !== 'docs/README.md',
    );
    expect(pages.map(({ name }) => name).filter((name) => !linked.includes(name))).toEqual([]);
  });

  it('links the index and the guide from the README, which has at most 10 kB', () => {
    const readme = pageOf('README.md');
    expect(linksOf(readme)).toContain('docs/README.md');
    expect(Buffer.byteLength(readme.text)).toBeLessThanOrEqual(10_000);
  });

  it.each(allPages())('of $name names only files that exist', (page) => {
    const named = /`((?:bench|docs|examples|idl|launch|qos|src|test|tools)\/[\w./-]*)`/g;
    const files = Array.from(page.text.matchAll(named), ([, file = '']) => file);
    expect(files.filter((file) => !existsSync(file))).toEqual([]);
  });
});
