import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** A page of the documentation. */
export interface Page {
  /** Path from the project's folder, for example `docs/reference/flags.md`. */
  readonly name: string;
  readonly text: string;
}

/** A fenced block of a page. */
export interface CodeBlock {
  /** What stands after the fence, for example `sh`. */
  readonly language: string;
  readonly text: string;
}

/** One page, by its path from the project's folder. */
export function pageOf(name: string): Page {
  return { name, text: readFileSync(path.join(root, name), 'utf8') };
}

/** The pages in the project's folder. */
const topPages = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md'];

/** The pages in the project's folder and all pages of docs/. */
export function allPages(): Page[] {
  const docs = readdirSync(path.join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .sort();
  return [...topPages, ...docs.map((name) => `docs/${name}`)].map(pageOf);
}

/** The fenced blocks of a page, of one language when that is given. */
export function codeBlocks({ text }: Page, language?: string): CodeBlock[] {
  const blocks = Array.from(text.matchAll(/^```(\w*)\n([^]*?)^```$/gm), (found) => ({
    language: found[1] ?? '',
    text: found[2] ?? '',
  }));
  return blocks.filter((block) => language === undefined || block.language === language);
}

/** The only block of a language. @throws Error when there is another number of them. */
export function onlyBlock(page: Page, language: string): string {
  const [block, another] = codeBlocks(page, language);
  if (block === undefined || another !== undefined) {
    throw new Error(`${page.name} does not have one block of ${language}.`);
  }
  return block.text;
}

/** What stands in fenced blocks and between back-ticks. */
export function codeOf(page: Page): string[] {
  const prose = page.text.replace(/^```[^]*?^```$/gm, '');
  const spans = Array.from(prose.matchAll(/`([^`]+)`/g), ([, span = '']) =>
    span.replaceAll('\n', ' '),
  );
  return [...codeBlocks(page).map(({ text }) => text), ...spans];
}

/** What stands between a heading and the next one. @throws Error when the page has no such heading. */
export function sectionOf({ name, text }: Page, heading: string): Page {
  const section = text.split(/^#+ /m).find((part) => part.startsWith(`${heading}\n`));
  if (section === undefined) throw new Error(`${name} has no heading "${heading}".`);
  return { name: `${name}, ${heading}`, text: section };
}

/** The rows of the table below a heading, without its head; one list of cells per row. */
export function tableBelow(page: Page, heading: string): string[][] {
  const rows = sectionOf(page, heading).text.match(/^\|.*\|$/gm);
  if (rows === null) throw new Error(`${page.name} has no table below "${heading}".`);
  return rows.slice(2).map((row) =>
    row
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  );
}

/** The anchors of the headings of a page, as GitHub makes them. */
export function anchorsOf({ text }: Page): string[] {
  const prose = text.replace(/^```[^]*?^```$/gm, '');
  return Array.from(prose.matchAll(/^#+ (.*)$/gm), ([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );
}
