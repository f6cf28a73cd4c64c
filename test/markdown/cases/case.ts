import type { RenderData } from '../../../lib/markdown/data.ts';

/** One rule of the dialect by example. */
export interface Case {
  name: string;
  input: string;
  data?: RenderData;
  html: string;
}
