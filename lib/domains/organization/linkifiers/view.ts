import * as v from 'valibot';
import type { Linkifier } from '../../../storage/storage.ts';

/** Spec, "Linkifier". */
export const linkifierObject = v.object({ pattern: v.string(), url_template: v.string(), id: v.number() });

export const linkifierView = ({ pattern, url_template, id }: Linkifier): v.InferOutput<typeof linkifierObject> => ({
  pattern,
  url_template,
  id,
});
