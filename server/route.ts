import { NotFound, present } from '../lib/internal.ts';
import type { ApiRequest, Kind, Preview, Stage } from './api-request.ts';
import { RequestBody } from './body.ts';
import { EVENT_STREAM, EVENTS, STREAM_METHODS } from './event-stream.ts';
import type { Form } from './form.ts';
import { recordOf } from './request-record.ts';
import { decodeSegment, type Match, type Route } from './router.ts';

/** Finds the operation by path and method. OPTIONS is answered here. */
export const route: Stage = {
  enter(request) {
    const { context, req, res, path } = request;
    const isStream = path === EVENT_STREAM;
    if (isStream && !STREAM_METHODS.choose(req, res)) return end(request);
    const address = previewAt(isStream ? EVENTS : path);
    const match = context.router.find(address.path);
    if (!match) throw new NotFound(path.length > 1 ? path.slice(0, 200) : '/api/v1');
    request.match = match;
    request.preview = address.preview;
    request.body = new RequestBody(req, res, context.maxBodyBytes, match.methods.get('POST')?.operation.incoming?.body);
    if (!mayNameMethod(request)) return choose(request, { isStream });
    return formBefore(request).then((form) => choose(request, { form, isStream }));
  },
};

function choose(request: ApiRequest, { form, isStream }: { form?: Form | undefined; isStream: boolean }): undefined {
  const { req, res, match, preview } = request;
  const found = match.methods.choose(req, res, form && methodIn(form, match));
  if (!found) return end(request);
  request.route = found;
  request.kind = isStream ? 'stream' : kindOf(found, preview);
  const prefix = preview ? (preview.kind === 'why' ? '/why/{user}' : '/dry_run') : '';
  // A dry run is not counted as a call of its operation.
  recordOf(req)?.note(`/api/v1${prefix}${found.path}`, preview?.kind ?? found.operation.name);
  // Only these responses have the header, so a client can check that nothing was changed.
  if (preview) request.headers['Parlance-Trial'] = preview.kind;
  return undefined;
}

function end(request: ApiRequest): undefined {
  request.isAnswered = true;
}

function kindOf({ operation, file }: Route, preview: Preview | undefined): Kind {
  // Also for their previews: the file of an upload arrives slowly, and the chat refuses a preview of a poll.
  if (operation.effect === 'poll') return 'poll';
  if (file?.isStreamed) return 'upload';
  if (preview) return 'preview';
  return operation.limitedBy?.rule === 'sign-in' ? 'sign-in' : 'call';
}

/**
 * Reads a prefix such as `/dry_run/messages` or `/why/7/messages`. It is not a header: an older server would ignore the
 * header and run the operation.
 */
function previewAt(path: string): { preview?: Preview; path: string } {
  const found = /^\/(?:(dry_run)|why\/([^/]+))(\/.+)$/.exec(path);
  if (!found) return { path };
  const [, dryRun, user, rest = ''] = found;
  if (dryRun !== undefined) return { preview: { kind: 'dry_run' }, path: rest };
  const name = decodeSegment(present(user));
  return { preview: { kind: 'why', user: /^[0-9]{1,15}$/.test(name) ? Number(name) : name }, path: rest };
}

/** Whether a field of the form may name the method. A form with a file waits for the authentication. */
function mayNameMethod({ req, body, match }: ApiRequest): boolean {
  if (req.method !== 'POST' || body.type === undefined) return false;
  return !body.isMultipart || match.methods.get('POST')?.file === undefined;
}

/** The form of a request whose route depends on it. Authenticates first, if no method at this path is open to everyone. */
async function formBefore(request: ApiRequest): Promise<Form | undefined> {
  if (request.match.methods.every(isClosed)) {
    await request.identify('user');
    // The account waits until it may send another request, before its body is read.
    await request.turn?.enter();
  }
  return request.body.tryForm();
}

const isClosed = ({ operation: { access } }: Route) => access !== 'anyone' && access !== 'spectator';

/** The field `method` in the body of a POST overrides the method. */
function methodIn({ fields }: Form, match: Match): string | undefined {
  const { method } = fields;
  if (method === undefined) return undefined;
  const named = match.methods.get(method);
  // Remove the field, unless the operation has a parameter with this name.
  if (named && !Object.hasOwn(named.operation.params, 'method')) delete fields.method;
  return method;
}
