/** What a composer has for someone who writes. One file, fetched when the first composer appears. */
export { Completion } from './completion.tsx';
export { ComposerTools } from './tools.tsx';
