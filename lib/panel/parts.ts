/** The parts of the panel that a conversation does not need at first. */
import type { FunctionComponent } from 'preact';
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

type PropsOf<C> = C extends (props: infer P extends object) => unknown ? P : never;

/** A component of a file with several. */
const partOf = <F, K extends keyof F>(load: () => Promise<F>, name: K, options?: { isQuiet: boolean }) =>
  lazy(async () => (await load())[name] as FunctionComponent<PropsOf<F[K]>>, options);

export const AccountBanner = partOf(overlays, 'AccountBanner');
export const ActionBar = partOf(deferred, 'ActionBar', quiet);
export const Answer = partOf(overlays, 'Answer');
export const App = lazy(async () => (await import('./app/app.tsx')).App);
export const Composer = partOf(deferred, 'Composer', quiet);
export const ContentEvents = partOf(deferred, 'ContentEvents', quiet);
export const EditMessage = partOf(overlays, 'EditMessage');
export const ListKeys = partOf(deferred, 'ListKeys', quiet);
export const MentionQuestion = partOf(overlays, 'MentionQuestion');
export const MessageOverlay = partOf(overlays, 'MessageOverlay');
export const NewMessages = partOf(deferred, 'NewMessages', quiet);
export const NewTopic = partOf(overlays, 'NewTopic');
export const OutgoingRow = partOf(deferred, 'OutgoingRow', quiet);
export const PlaceLine = partOf(deferred, 'PlaceLine', quiet);
export const Profile = lazy(async () => (await import('./app/app.tsx')).Profile);
export const PushQuestion = lazy(async () => (await pushPart()).PushQuestion);
export const Refused = partOf(overlays, 'Refused');
export const SignedOut = partOf(overlays, 'SignedOut');
export const StatusBanner = partOf(deferred, 'StatusBanner');
export const TypingNames = partOf(deferred, 'TypingNames', quiet);
export const Widget = lazy(async () => (await import('./messages/widget.tsx')).Widget);
