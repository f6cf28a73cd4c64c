/** Icons of actions in a conversation and in the app, 20 by 20. */
export const ACTION_ICONS = {
  edit: 'M4,16v-3l8.5-8.5a1.4,1.4,0,0,1,2,0l1,1a1.4,1.4,0,0,1,0,2L7,16H4Z',
  link: 'M8.5,11.5a3,3,0,0,0,4.3,0l2.7-2.7a3,3,0,0,0-4.3-4.3L10,5.7m1.5,2.8a3,3,0,0,0-4.3,0L4.5,11.2a3,3,0,0,0,4.3,4.3l1.2-1.2',
  more: 'M4.2,9.8h1.2v.6H4.2ZM9.4,9.8h1.2v.6H9.4ZM14.6,9.8h1.2v.6h-1.2Z',
  plus: 'M10,4v12M4,10h12',
} as const;
