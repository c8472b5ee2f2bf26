export { CdrError, type Codec } from './codec.js';
export * from './generated/index.js';
export { topics, type Topic } from './topics.js';
