/** Icons of the image viewer, 20 by 20. */
export const VIEWER_ICONS = {
  open: 'M8,4H4v12h12v-4M11,3.5h5.5V9M16.5,3.5,9,11',
  'zoom-in': 'M9,3.5a5.5,5.5,0,0,0,0,11,5.5,5.5,0,0,0,0-11Zm4,9.5,4,4M6.5,9h5M9,6.5v5',
  'zoom-out': 'M9,3.5a5.5,5.5,0,0,0,0,11,5.5,5.5,0,0,0,0-11Zm4,9.5,4,4M6.5,9h5',
} as const;
