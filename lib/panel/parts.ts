/** The parts of the panel that a conversation does not need at first. */
import { lazy } from './lazy.tsx';

export const overlays = () => import('./overlays.ts');
const writing = () => import('./composer/writing.ts');
export const pushPart = () => import('./push/question.tsx');

export const AccountBanner = lazy(async () => (await overlays()).AccountBanner);
export const Answer = lazy(async () => (await overlays()).Answer);
export const App = lazy(async () => (await import('./app/app.tsx')).App);
export const Completion = lazy(async () => (await writing()).Completion);
export const ComposerTools = lazy(async () => (await writing()).ComposerTools);
export const EditMessage = lazy(async () => (await overlays()).EditMessage);
export const ImageViewer = lazy(async () => (await import('./content/image-viewer.tsx')).ImageViewer);
export const MentionQuestion = lazy(async () => (await overlays()).MentionQuestion);
export const MessageOverlay = lazy(async () => (await overlays()).MessageOverlay);
export const NewTopic = lazy(async () => (await overlays()).NewTopic);
export const PlaceLine = lazy(async () => (await overlays()).PlaceLine);
export const Profile = lazy(async () => (await import('./app/app.tsx')).Profile);
export const PushQuestion = lazy(async () => (await pushPart()).PushQuestion);
export const Refused = lazy(async () => (await overlays()).Refused);
export const SignedOut = lazy(async () => (await overlays()).SignedOut);
export const Widget = lazy(async () => (await import('./messages/widget.tsx')).Widget);
