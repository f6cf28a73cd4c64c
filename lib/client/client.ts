import type { Explanation } from '../access/explanation.ts';
import { catalogue, operationNamed } from '../catalogue.ts';
import type { DryRun } from '../chat/consequences.ts';
import { type Invoke, type Session, sessionOver } from '../chat/session.ts';
import type { Operation } from '../operation/operation.ts';
import { siteOf, withoutApiPath } from '../rules/site-address.ts';
import { Unreachable } from './answer.ts';
import { HeldPolls, recovery } from './polls.ts';
import { type ConnectOptions, Requests } from './requests.ts';

export type { Explanation, Step } from '../access/explanation.ts';
export type { DataOf, ErrorData } from '../base/error-data.ts';
export type { GroupObjection, InvitationFailure, InvitationProblem } from '../base/errors.ts';
export { ChatError, type ErrorCode, isChatError, RateLimitHit } from '../base/errors.ts';
export type { DryRunEvent, DryRunSideEffect } from '../chat/consequences.ts';
export type { DownloadedFile, DownloadOptions } from '../chat/download.ts';
export type {
  ChatEvent,
  DryRuns,
  EventType,
  ListenOptions,
  OperationName,
  ParametersOf,
  QueuedEvent,
  QueuePlace,
  Session,
} from '../chat/session.ts';
export type { Capability } from '../events/client.ts';
export type { ConnectOptions } from './requests.ts';
export type { DryRun };
export { Unreachable };

/**
 * Opens a session over HTTP, on a Parlance server or another server of this API. It has the same type as
 * `chat.as(user)`. Sends nothing before the first call. Calls reject with `ChatError` or `Unreachable`.
 * @throws TypeError if `site` is not a valid site address
 * @example
 * const session = connect({ site: 'https://chat.example.com', email: 'ada@example.com', api_key: '…' });
 * await session.messages.send({ type: 'channel', to: 'general', topic: 'greetings', content: 'Hello' });
 * await session.close();
 */
export function connect(options: ConnectOptions): Session & { close(): Promise<void> } {
  const site = withoutApiPath(siteOf('site', options.site));
  const requests = new Requests(site, options);
  const polls = new HeldPolls();
  const invoke: Invoke<Operation> = (operation, parameters, signal) =>
    operation.longPoll
      ? polls.hold((letGo) => requests.send(operation, parameters, { signal: letGo }), signal)
      : requests.send(operation, parameters, { signal });
  return Object.assign(
    sessionOver<Operation>({
      operations: catalogue as readonly Operation[],
      recover: recovery(options.patienceMs ?? 0, () => polls.areClosed),
      invoke,
      dryRun: (operation, parameters) => requests.send(operation, parameters, { trial: 'dry_run' }) as Promise<DryRun>,
      why: (user, operation, parameters) =>
        requests.send(operation, parameters, { trial: `why/${encodeURIComponent(user)}` }) as Promise<Explanation>,
      download: async (pathId, asked) => {
        const [realm_id_str, ...rest] = pathId.split('/');
        const parameters = { realm_id_str, filename: rest.join('/') };
        const { url } = (await invoke(operationNamed('uploads.getTemporaryUrl'), parameters)) as { url: string };
        return requests.download(url, asked);
      },
      isClosed: () => polls.areClosed,
    }),
    {
      close: async () => {
        await polls.close();
        await requests.close();
      },
    },
  );
}
