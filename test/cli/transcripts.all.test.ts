import { isWholeInProcess, NIGHTLY, TRANSCRIPTS, testTranscripts } from './transcripts.ts';

testTranscripts(
  TRANSCRIPTS.filter((name) => !NIGHTLY.includes(name) && !isWholeInProcess(name)),
  { inProcess: true },
);
