const blob = (base64: string, type: string) => new Blob([Buffer.from(base64, 'base64')], { type });

/** Three pixels wide and one high. */
export const png = blob(
  'iVBORw0KGgoAAAANSUhEUgAAAAMAAAABCAIAAACUgoPjAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAADUlEQVQImWNgaGCAIAAHigGBu2iZiAAAAABJRU5ErkJggg==',
  'image/png',
);

/** Two frames. */
export const animatedGif = blob(
  'R0lGODlhAgABAIAAAExpcf8AACH/C05FVFNDQVBFMi4wAwEAAAAh+QQFCgAAACwAAAAAAgABAAACAkwKACH5BAUKAAAALAAAAAACAAEAgExpcQAA/wICTAoAOw==',
  'image/gif',
);
