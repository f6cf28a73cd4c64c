/** Icons, drawn with the color of the text. */
import type { VNode } from 'preact';

const PATHS = {
  back: 'M12,4,6,10l6,6',
  close: 'M5,5l10,10M15,5,5,15',
  check: 'm4,10.5,4,4,8-9',
  clock: 'M10,3a7,7,0,1,0,0,14,7,7,0,0,0,0-14Zm0,3.5V10l2.5,2',
  copy: 'M7,7V4h9v9h-3M4,7h9v9H4Z',
  down: 'M10,4v12m-5-5,5,5,5-5',
  edit: 'M4,16v-3l8.5-8.5a1.4,1.4,0,0,1,2,0l1,1a1.4,1.4,0,0,1,0,2L7,16H4Z',
  eye: 'M2.5,10S5,5,10,5s7.5,5,7.5,5-2.5,5-7.5,5-7.5-5-7.5-5Zm7.5,2.2a2.2,2.2,0,1,0,0-4.4,2.2,2.2,0,0,0,0,4.4Z',
  hash: 'M8,3.5,6.5,16.5m7-13L12,16.5M3.5,7.5h13.5M3,12.5h13.5',
  history: 'M4,4v4h4M4.3,8A6.5,6.5,0,1,1,3.5,11M10,6.5V10l2.5,2',
  link: 'M8.5,11.5a3,3,0,0,0,4.3,0l2.7-2.7a3,3,0,0,0-4.3-4.3L10,5.7m1.5,2.8a3,3,0,0,0-4.3,0L4.5,11.2a3,3,0,0,0,4.3,4.3l1.2-1.2',
  lock: 'M5,9h10v8H5Zm2-.2V6.5a3,3,0,0,1,6,0v2.3',
  menu: 'M3,5.5h14M3,10h14M3,14.5h14',
  more: 'M4.2,9.8h1.2v.6H4.2ZM9.4,9.8h1.2v.6H9.4ZM14.6,9.8h1.2v.6h-1.2Z',
  move: 'M3,6h6l2,2h6v8H3ZM9,12h5m-2-2,2,2-2,2',
  people:
    'M7.5,9.5a3,3,0,1,0,0-6,3,3,0,0,0,0,6Zm-5,7c0-2.8,2.2-4.5,5-4.5s5,1.7,5,4.5m1-12.7a3,3,0,0,1,0,5.4m1.5,3.2c1.6.7,2.5,2.1,2.5,4.1',
  plus: 'M10,4v12M4,10h12',
  reply: 'M8,5,3.5,9.5,8,14m-4-4.5h7.5a5,5,0,0,1,5,5V16',
  search: 'M9,3.5a5.5,5.5,0,1,0,0,11,5.5,5.5,0,0,0,0-11Zm4,9.5,4,4',
  send: 'M3.5,10,17,3.5,12.5,17,9.5,11Zm6,1L17,3.5',
  settings:
    'M10,7.2a2.8,2.8,0,1,0,0,5.6,2.8,2.8,0,0,0,0-5.6ZM10,2.5v2m0,11v2m7.5-7.5h-2m-11,0h-2m12.8-5.3-1.4,1.4m-7.8,7.8-1.4,1.4m10.6,0-1.4-1.4M6.1,6.1,4.7,4.7',
  smile: 'M10,2.8a7.2,7.2,0,1,0,0,14.4,7.2,7.2,0,0,0,0-14.4ZM7.5,8v.01M12.5,8v.01M6.8,11.8a3.8,3.8,0,0,0,6.4,0',
  star: 'm10,3,2.2,4.5,5,.7-3.6,3.5.8,4.9-4.4-2.3-4.4,2.3.8-4.9L2.8,8.2l5-.7Z',
  trash: 'M3.5,5.5h13M8,5.5v-2h4v2M5,5.5l.8,11h8.4l.8-11M8.3,8.5v5M11.7,8.5v5',
  unread: 'M3,5h8M3,10h14M3,15h14M16,3.5a1.5,1.5,0,1,0,0,3,1.5,1.5,0,0,0,0-3Z',
  warning: 'M10,3.5,17.5,16h-15ZM10,8.5v3.2M10,13.8v.01',
} as const;

/** Icons of the app, 24 by 24. The others are 20 by 20. */
const LARGE_PATHS = {
  at: 'M16,8v5a3,3,0,0,0,5,2A9,9,0,1,0,17,20M16,12a4,4,0,1,1-8,0,4,4,0,0,1,8,0',
  bell: 'M6 16v-5a6 6 0 0 1 12 0v5l2 2H4zM10 21h4',
  chevron: 'M6 9l6 6 6-6',
  direct: 'M4 5h16v11H10l-5 4v-4H4z',
  help: 'M9 9a3 3 0 1 1 4 3c-1 .5-1 1-1 2M12 17.5v.5M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0',
  inbox: 'M3 13l3-8h12l3 8v6H3zM3 13h5l1 3h6l1-3h5',
  muted: 'M4 10v4h4l5 4V6L8 10zM17 10l4 4M21 10l-4 4',
  pin: 'M9 4h6l-1 6 3 3H7l3-3zM12 13v7',
  'sign-out': 'M14 5H5v14h9M10 12h10M17 8.5l3.5 3.5-3.5 3.5',
} as const;

export type IconName = keyof typeof PATHS | keyof typeof LARGE_PATHS;

/** Decorative: the button or link around it has the name. */
export function Icon({ name, isFilled = false }: { name: IconName; isFilled?: boolean }): VNode {
  const isLarge = name in LARGE_PATHS;
  const size = isLarge ? 24 : 20;
  return (
    <svg
      class={`icon${isLarge ? ` icon-24 icon-${name}` : ''}${isFilled ? ' filled' : ''}`}
      viewBox={`0 0 ${size} ${size}`}
      aria-hidden="true"
    >
      <path d={{ ...PATHS, ...LARGE_PATHS }[name]} />
    </svg>
  );
}
