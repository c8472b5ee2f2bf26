export type { Track } from './track.js';
export { posesOnTrack, tracks, type TrackName } from './tracks.js';
