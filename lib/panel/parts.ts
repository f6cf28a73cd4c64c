/** The parts of the panel that a conversation does not need at first. */
import { lazy } from './lazy.tsx';

const overlays = () => import('./overlays.ts');
/** The banner says it for all that comes with it. */
const quiet = { isQuiet: true };

export const deferred = () => import('./deferred.ts');
export const pushPart = () => import('./push/question.tsx');

export const AccountBanner = lazy(async () => (await overlays()).AccountBanner);
export const ActionBar = lazy(async () => (await deferred()).ActionBar, quiet);
export const Answer = lazy(async () => (await overlays()).Answer);
export const App = lazy(async () => (await import('./app/app.tsx')).App);
export const Composer = lazy(async () => (await deferred()).Composer, quiet);
export const ContentEvents = lazy(async () => (await deferred()).ContentEvents, quiet);
export const EditMessage = lazy(async () => (await overlays()).EditMessage);
export const ListKeys = lazy(async () => (await deferred()).ListKeys, quiet);
export const MentionQuestion = lazy(async () => (await overlays()).MentionQuestion);
export const MessageOverlay = lazy(async () => (await overlays()).MessageOverlay);
export const NewMessages = lazy(async () => (await deferred()).NewMessages, quiet);
export const NewTopic = lazy(async () => (await overlays()).NewTopic);
export const OutgoingRow = lazy(async () => (await deferred()).OutgoingRow, quiet);
export const PlaceLine = lazy(async () => (await deferred()).PlaceLine, quiet);
export const Profile = lazy(async () => (await import('./app/app.tsx')).Profile);
export const PushQuestion = lazy(async () => (await pushPart()).PushQuestion);
export const Refused = lazy(async () => (await overlays()).Refused);
export const SignedOut = lazy(async () => (await overlays()).SignedOut);
export const StatusBanner = lazy(async () => (await deferred()).StatusBanner);
export const TypingNames = lazy(async () => (await deferred()).TypingNames, quiet);
export const Widget = lazy(async () => (await import('./messages/widget.tsx')).Widget);
