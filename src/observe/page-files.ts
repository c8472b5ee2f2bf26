import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { HlcError } from '../errors/index.js';

/** A file of the page. */
export interface PageFile {
  readonly type: string;
  readonly content: Buffer;
}

const folder = fileURLToPath(new URL('../../dist/observe/page', import.meta.url));

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/**
 * The files of the page by their paths; they are few, so all are kept in memory.
 * @throws HlcError `HLC_OBSERVE_PAGE` when the page is not built.
 */
export function readPageFiles(): ReadonlyMap<string, PageFile> {
  try {
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    const files = names.flatMap((name): [string, PageFile][] => {
      const type = types[path.extname(name)];
      if (type === undefined) return [];
      return [[`/${name}`, { type, content: readFileSync(path.join(folder, name)) }]];
    });
    const byPath = new Map(files);
    const index = byPath.get('/index.html');
    if (index === undefined) throw new Error('it has no index.html');
    return byPath.set('/', index);
  } catch (error) {
    const cause = (error as Error).message;
    throw new HlcError('HLC_OBSERVE_PAGE', { folder, cause }, { cause: error });
  }
}
