/** Reports a server event: as a sentence at a terminal, as a log line otherwise. */
export type Announce = (sentence: string, facts?: object) => void;
