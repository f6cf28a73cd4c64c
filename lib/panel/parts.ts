/** The parts of the panel that a conversation does not need at first. */
import { lazy } from './lazy.tsx';

/** Milliseconds. Without a list of messages, what is deferred loads after this time. */
const DEFERRED_MS = 2000;
let begin = (): void => undefined;
const begun = new Promise<void>((resolve) => {
  begin = resolve;
});

/** The first messages are on the screen, or need what is deferred. */
export const beginDeferred = (): void => begin();

/** It would delay the first messages. */
export async function deferred() {
  setTimeout(begin, DEFERRED_MS);
  await begun;
  return import('./deferred.ts');
}

/** The banner shows the error for all that comes with it. */
const quiet = { isQuiet: true };
const overlays = () => import('./overlays.ts');
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
