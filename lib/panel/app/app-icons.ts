/** Icons of the app, 20 by 20. */
export const APP_ICONS = {
  column: 'M3,4h14v12H3ZM12.5,4v12',
  menu: 'M3,5.5h14M3,10h14M3,14.5h14',
  settings:
    'M10,7.2a2.8,2.8,0,1,0,0,5.6,2.8,2.8,0,0,0,0-5.6ZM10,2.5v2m0,11v2m7.5-7.5h-2m-11,0h-2m12.8-5.3-1.4,1.4m-7.8,7.8-1.4,1.4m10.6,0-1.4-1.4M6.1,6.1,4.7,4.7',
} as const;

/** Icons of the app, 24 by 24. */
export const LARGE_ICONS = {
  at: 'M16,8v5a3,3,0,0,0,5,2A9,9,0,1,0,17,20M16,12a4,4,0,1,1-8,0,4,4,0,0,1,8,0',
  chevron: 'M6 9l6 6 6-6',
  drafts: 'M6 3h8l4 4v14H6zM9 12h6M9 16h6',
  direct: 'M4 5h16v11H10l-5 4v-4H4z',
  help: 'M9 9a3 3 0 1 1 4 3c-1 .5-1 1-1 2M12 17.5v.5M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0',
  jump: 'M4 6h9M4 12h6M4 18h9M13 12h7M17 8.5l3.5 3.5-3.5 3.5',
  inbox: 'M3 13l3-8h12l3 8v6H3zM3 13h5l1 3h6l1-3h5',
  pin: 'M9 4h6l-1 6 3 3H7l3-3zM12 13v7',
  shield: 'M12 3l7 3v5c0 5-3 8-7 10-4-2-7-5-7-10V6z',
  'sign-out': 'M14 5H5v14h9M10 12h10M17 8.5l3.5 3.5-3.5 3.5',
} as const;
