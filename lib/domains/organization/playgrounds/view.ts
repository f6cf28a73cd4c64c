import type { Playground } from '../../../storage/storage.ts';

/** Spec, "Code playground". */
export const playgroundView = ({ id, name, pygments_language, url_template }: Playground) => ({
  id,
  name,
  pygments_language,
  url_template,
});
