/** Tells what happens to the server: in a sentence to people, to programs as a line of the log. */
export type Announce = (sentence: string, facts?: object) => void;
