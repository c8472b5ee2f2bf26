// The worker thread that draws: the control loop of the gateway does not wait for it.

import { parentPort } from 'node:worker_threads';

import { capture, type CaptureRequest } from './capture.js';

parentPort?.on('message', (request: CaptureRequest) => {
  const frames = capture(request);
  parentPort?.postMessage(
    frames,
    frames.map(({ buffer }) => buffer as ArrayBuffer),
  );
});
