import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Chat, FileParameter } from '../lib/index.ts';
import type { Credentials } from './authentication.ts';
import { formKind, readForm } from './body.ts';
import { BodyTooLarge, CallerGone, FileTooLarge } from './body-stream.ts';
import type { Form } from './form.ts';
import { DEFAULT_MAX_BODY_BYTES, type FaceOptions } from './options.ts';
import type { Polls } from './polls.ts';
import type { RateLimits } from './rate-limits.ts';
import type { Router } from './router.ts';

/** What the requests of one listener share. */
export interface Face {
  readonly chat: Chat;
  readonly options: FaceOptions;
  readonly router: Router;
  readonly rateLimits: RateLimits | undefined;
  readonly credentials: Credentials;
  readonly polls: Polls;
  /** Nobody but us sees these requests, so what has been read of them may be dropped. */
  readonly ownsRequests: boolean;
}

/** A request on its way through the pipeline. */
export class Exchange {
  /** Headers of the answer known so far, names and values in turn. */
  headers: readonly string[] = [];
  body: Form | undefined;
  /** Why the body could not be read; told only to callers who may know that there is an operation. */
  bodyFault: unknown;

  constructor(
    readonly face: Face,
    readonly req: IncomingMessage,
    readonly res: ServerResponse,
  ) {}

  /** Whether the body holds a file, which is not read for callers who may not send one. */
  get isMultipart(): boolean {
    return formKind(this.req) === 'multipart';
  }

  async readBody(takes?: FileParameter): Promise<void> {
    const kind = formKind(this.req);
    if (kind === undefined) return;
    try {
      this.body = await readForm(this.req, kind, this.face.options.maxBodyBytes ?? DEFAULT_MAX_BODY_BYTES, takes);
    } catch (error) {
      if (error instanceof CallerGone) throw error;
      if (error instanceof BodyTooLarge || error instanceof FileTooLarge) this.res.shouldKeepAlive = false;
      this.bodyFault = error;
    }
  }
}
