import * as v from 'valibot';
import type { Playground } from '../../../storage/interface/playgrounds.ts';

export const playgroundObject = v.object({
  id: v.number(),
  name: v.string(),
  pygments_language: v.string(),
  url_template: v.string(),
});

export const playgroundView = ({
  id,
  name,
  pygments_language,
  url_template,
}: Playground): v.InferOutput<typeof playgroundObject> => ({ id, name, pygments_language, url_template });
