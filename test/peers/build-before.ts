import { buildPeers } from './build-peers.js';

/** Builds the programs before the first test: in a fresh clone that takes longer than a test may. */
export default function setup(): void {
  buildPeers();
}
