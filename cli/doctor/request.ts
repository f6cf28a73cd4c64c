import { once } from 'node:events';
import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { text } from 'node:stream/consumers';
import type { TLSSocket } from 'node:tls';

export interface Reply {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** undefined: without TLS. */
  certificate: Certificate | undefined;
}

export interface Certificate {
  /** Code of the reason not to trust it. undefined: it is valid. */
  distrust: string | undefined;
  validFrom: Date;
  validTo: Date;
}

const TIMEOUT_MS = 10_000;

/** Sends a request. With a token, a certificate must be valid. */
export async function requestTo(url: string, { token }: { token?: string | undefined } = {}): Promise<Reply> {
  const send = url.startsWith('https:') ? httpsRequest : httpRequest;
  const sent = send(url, {
    agent: false,
    rejectUnauthorized: token !== undefined,
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  sent.end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const { statusCode = 0, headers, socket } = response;
  const certificate = url.startsWith('https:') ? certificateOf(socket as TLSSocket) : undefined;
  return { status: statusCode, headers, text: await text(response), certificate };
}

function certificateOf(socket: TLSSocket): Certificate {
  const { valid_from, valid_to } = socket.getPeerCertificate();
  // Declared as an error, but it is a code.
  const distrust = socket.authorized ? undefined : String(socket.authorizationError);
  return { distrust, validFrom: new Date(valid_from), validTo: new Date(valid_to) };
}
