import type { RenderData } from '../../../lib/markdown/data.ts';

/** One rule of the dialect, as an example. */
export interface Case {
  name: string;
  input: string;
  data?: RenderData;
  html: string;
}
