/** Icons of the app, 24 by 24, and those of the panel. */
import type { VNode } from 'preact';
import * as panel from '../icons.tsx';

const PATHS = {
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

export type IconName = keyof typeof PATHS | panel.IconName;

/** Decorative: the button or link around it has the name. */
export function Icon({ name }: { name: IconName }): VNode {
  if (!(name in PATHS)) return <panel.Icon name={name as panel.IconName} />;
  return (
    <svg class={`icon icon-24 icon-${name}`} viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name as keyof typeof PATHS]} />
    </svg>
  );
}
