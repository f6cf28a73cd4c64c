import { isWholeInProcess, TRANSCRIPTS, testTranscripts } from './transcripts.ts';

testTranscripts(
  TRANSCRIPTS.filter((name) => !isWholeInProcess(name)),
  { inProcess: true },
);
