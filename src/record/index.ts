export { contractFiles } from './contract-files.js';
export { readTap, type TapItem } from './read-tap.js';
export { partPath, RecordingFile, type RecordingHead } from './recording-file.js';
export { readRecording, type RecordedMessage, type RecordingItem } from './read-recording.js';
export { brokenRecordsName, recoveredName, recoverRecording, type Recovery } from './recover.js';
export { type RecorderResult, runRecorder } from './run-recorder.js';
