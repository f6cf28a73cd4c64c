import { TRANSCRIPTS, testTranscripts } from './transcripts.ts';

testTranscripts(TRANSCRIPTS, { inProcess: false });
