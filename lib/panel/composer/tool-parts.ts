/** What opens from a composer. */
import { lazy } from '../lazy.tsx';

const overlays = () => import('../overlays.ts');

export const EmojiPopover = lazy(async () => (await overlays()).EmojiPopover);
export const HeldText = lazy(async () => (await overlays()).HeldText);
export const Preview = lazy(async () => (await overlays()).Preview);
export const ScheduledNotice = lazy(async () => (await overlays()).ScheduledNotice);
export const SendLater = lazy(async () => (await overlays()).SendLater);
export const SnippetDialog = lazy(async () => (await overlays()).SnippetDialog);
export const SnippetPopover = lazy(async () => (await overlays()).SnippetPopover);
export const UploadList = lazy(async () => (await overlays()).UploadList);
