/** Icons of menus and dialogs, 20 by 20. */
export const OVERLAY_ICONS = {
  copy: 'M7,7V4h9v9h-3M4,7h9v9H4Z',
  eye: 'M2.5,10S5,5,10,5s7.5,5,7.5,5-2.5,5-7.5,5-7.5-5-7.5-5Zm7.5,2.2a2.2,2.2,0,1,0,0-4.4,2.2,2.2,0,0,0,0,4.4Z',
  history: 'M4,4v4h4M4.3,8A6.5,6.5,0,1,1,3.5,11M10,6.5V10l2.5,2',
  move: 'M3,6h6l2,2h6v8H3ZM9,12h5m-2-2,2,2-2,2',
  trash: 'M3.5,5.5h13M8,5.5v-2h4v2M5,5.5l.8,11h8.4l.8-11M8.3,8.5v5M11.7,8.5v5',
  unread: 'M3,5h8M3,10h14M3,15h14M16,3.5a1.5,1.5,0,1,0,0,3,1.5,1.5,0,0,0,0-3Z',
} as const;

/** Icons of menus and dialogs, 24 by 24. */
export const LARGE_OVERLAY_ICONS = {
  muted: 'M4 10v4h4l5 4V6L8 10zM17 10l4 4M21 10l-4 4',
} as const;
