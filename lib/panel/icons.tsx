/** Icons, drawn with the color of the text. */
import type { VNode } from 'preact';
import type { ACTION_ICONS } from './action-icons.ts';
import type { APP_ICONS, LARGE_ICONS } from './app/app-icons.ts';
import type { TOOL_ICONS } from './composer/tool-icons.ts';
import type { VIEWER_ICONS } from './content/viewer-icons.ts';
import type { LARGE_OVERLAY_ICONS, OVERLAY_ICONS } from './overlay-icons.ts';

const ICONS = {
  back: 'M12,4,6,10l6,6',
  close: 'M5,5l10,10M15,5,5,15',
  clock: 'M10,3a7,7,0,1,0,0,14,7,7,0,0,0,0-14Zm0,3.5V10l2.5,2',
  down: 'M10,4v12m-5-5,5,5,5-5',
  hash: 'M8,3.5,6.5,16.5m7-13L12,16.5M3.5,7.5h13.5M3,12.5h13.5',
  lock: 'M5,9h10v8H5Zm2-.2V6.5a3,3,0,0,1,6,0v2.3',
  people:
    'M7.5,9.5a3,3,0,1,0,0-6,3,3,0,0,0,0,6Zm-5,7c0-2.8,2.2-4.5,5-4.5s5,1.7,5,4.5m1-12.7a3,3,0,0,1,0,5.4m1.5,3.2c1.6.7,2.5,2.1,2.5,4.1',
  search: 'M9,3.5a5.5,5.5,0,1,0,0,11,5.5,5.5,0,0,0,0-11Zm4,9.5,4,4',
  star: 'm10,3,2.2,4.5,5,.7-3.6,3.5.8,4.9-4.4-2.3-4.4,2.3.8-4.9L2.8,8.2l5-.7Z',
} as const;

export type IconName = keyof (typeof ICONS &
  typeof ACTION_ICONS &
  typeof APP_ICONS &
  typeof LARGE_ICONS &
  typeof LARGE_OVERLAY_ICONS &
  typeof OVERLAY_ICONS &
  typeof TOOL_ICONS &
  typeof VIEWER_ICONS);

const paths = new Map<string, string>(Object.entries(ICONS));
const sizes = new Map<string, number>();

/** For a part with a file of its own, which calls it when it loads. @param size of their square */
export function addIcons(icons: Readonly<Record<string, string>>, size = 20): void {
  for (const [name, path] of Object.entries(icons)) {
    paths.set(name, path);
    sizes.set(name, size);
  }
}

/** Decorative: the button or link around it has the name. */
export function Icon({ name, isFilled = false }: { name: IconName; isFilled?: boolean }): VNode {
  const size = sizes.get(name) ?? 20;
  return (
    <svg
      class={`icon${size === 24 ? ` icon-24 icon-${name}` : ''}${isFilled ? ' filled' : ''}`}
      viewBox={`0 0 ${size} ${size}`}
      aria-hidden="true"
    >
      <path d={paths.get(name)} />
    </svg>
  );
}
