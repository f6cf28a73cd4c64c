import { errorOf } from '../../lib/internal.ts';
import { LOOPBACK } from '../connection.ts';
import { findVariable } from '../environment.ts';
import { CERTIFICATE_ADVICE } from '../failure.ts';
import { counted } from '../output/text.ts';
import { SYNCHRONIZE } from './database.ts';
import { type Problem, type Report, type Subject, sentence } from './report.ts';
import { type Certificate, type Reply, requestTo } from './request.ts';

/** Response of `/ready`. Without the token, it has only `status`. */
interface Ready {
  status?: string;
  parts?: Record<string, string>;
  warnings?: Record<string, string>;
  forwarded?: { addresses: number; proto?: string };
}

const CHECKS = ['server', 'certificate', 'clock of the server', 'proxy headers'] as const;
const [SERVER, CERTIFICATE, CLOCK, PROXY] = CHECKS;
const NEEDS_TOKEN =
  'Only a server with PARLANCE_METRICS_TOKEN shows them. Set it here and for the server, and use https://.';

/** Requests `/ready` at the public address, through all proxies in front of the server. */
export async function examineServer({ report, settings }: Subject): Promise<void> {
  const { baseUrl, trustProxy = 0 } = settings;
  if (baseUrl === undefined) {
    for (const name of CHECKS) report.skip(name, 'Set --base-url (PARLANCE_BASE_URL) to the public URL.');
    return;
  }
  const url = `${baseUrl}/ready`;
  const sentMs = Date.now();
  const reply = await requestTo(url).catch((error: unknown) => errorOf(error));
  if (reply instanceof Error) return reportUnreachable(report, baseUrl, reply);
  const token = findVariable('PARLANCE_METRICS_TOKEN')?.value;
  const isTrusted = reply.certificate ? reply.certificate.distrust === undefined : LOOPBACK.test(new URL(baseUrl).host);
  const detailed = token !== undefined && isTrusted ? await requestTo(url, { token }).catch(() => reply) : reply;
  await report.check(SERVER, () => serverProblems(baseUrl, detailed));
  const { certificate } = reply;
  if (certificate) await report.check(CERTIFICATE, () => certificateProblems(baseUrl, certificate));
  else report.skip(CERTIFICATE, 'The public URL begins with http://.');
  await report.check(CLOCK, () => clockProblems(reply, sentMs));
  const ready = readyOf(detailed);
  if (!ready?.parts) return report.skip(PROXY, NEEDS_TOKEN);
  await report.check(PROXY, () => proxyProblems(ready, { baseUrl, trustProxy }));
}

async function reportUnreachable(report: Report, baseUrl: string, { message }: Error): Promise<void> {
  await report.check(SERVER, () => [
    {
      says: `${baseUrl} cannot be reached: ${sentence(message)}`,
      advice: 'Check --base-url (PARLANCE_BASE_URL), DNS and the proxy, and that `chatctl serve` runs.',
    },
  ]);
  for (const name of [CERTIFICATE, CLOCK, PROXY]) report.skip(name, 'The server cannot be reached.');
}

function readyOf({ text }: Reply): Ready | undefined {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null ? body : undefined;
  } catch {
    return undefined;
  }
}

function serverProblems(baseUrl: string, reply: Reply): Problem[] {
  const { status, headers } = reply;
  const ready = readyOf(reply);
  if (status >= 300 && status < 400)
    return [
      {
        says: `${baseUrl} redirects to ${headers.location}.`,
        advice: 'Set --base-url (PARLANCE_BASE_URL) to the address that answers.',
      },
    ];
  if (ready?.status !== 'ok' && ready?.status !== 'unavailable')
    return [
      {
        says: `${baseUrl} answers with status ${status}, and not as a Parlance server.`,
        advice: 'Check that the proxy passes all paths to `chatctl serve`, and --prefix (PARLANCE_PREFIX).',
      },
    ];
  return [...partProblems(ready), ...warningProblems(ready)];
}

function partProblems({ status, parts }: Ready): Problem[] {
  if (status === 'ok') return [];
  const broken = Object.entries(parts ?? {}).filter(([, state]) => state !== 'ok');
  const named = broken.map(([part, state]) => `${part}: ${state}`).join('; ');
  return [
    {
      says: `The server is not ready${named === '' ? '' : ` (${named})`}.`,
      advice: named === '' ? 'Its log has the cause, and --metrics shows it at /ready.' : 'Its log has the cause.',
    },
  ];
}

const WARNING_ADVICE: Readonly<Record<string, string>> = {
  clock: SYNCHRONIZE,
  events: 'Check the load of the server and of the database.',
  files: 'Check --uploads (PARLANCE_UPLOADS) of the server.',
  outbox: 'Check --smtp, --push-relay and the URLs of webhooks.',
};

const warningProblems = ({ warnings = {} }: Ready): Problem[] =>
  Object.entries(warnings).map(([part, warning]) => ({
    says: `The server warns of ${part}: ${sentence(warning)}`,
    advice: WARNING_ADVICE[part] ?? 'Its log has the cause.',
  }));

const DAY_MS = 86_400_000;
const RENEWAL_DAYS = 14;

/** Certificates that are valid for a few days are renewed later. */
function certificateProblems(baseUrl: string, { distrust, validFrom, validTo }: Certificate): Problem[] {
  const { host } = new URL(baseUrl);
  const problems: Problem[] = [];
  if (distrust !== undefined)
    problems.push({
      says: `The certificate of ${host} is not valid (${distrust}).`,
      advice: CERTIFICATE_ADVICE[distrust] ?? 'Install a certificate of a public authority for this host name.',
    });
  const left = (validTo.getTime() - Date.now()) / DAY_MS;
  const least = Math.min(RENEWAL_DAYS, (validTo.getTime() - validFrom.getTime()) / DAY_MS / 5);
  if (left > 0 && left < least)
    problems.push({
      says: `The certificate of ${host} expires in ${counted(Math.floor(left), 'day')}.`,
      advice:
        'Renew it, and check the timer of your certificate program (`systemctl list-timers`) or the log of the proxy.',
    });
  return problems;
}

/** The Date header has whole seconds. */
const MAX_DIFFERENCE_MS = 5_000;

function clockProblems({ headers }: Reply, sentMs: number): Problem[] {
  const there = Date.parse(headers.date ?? '');
  const now = Date.now();
  // The server may have responded at any time between the request and now.
  const difference = there < sentMs ? there - sentMs : Math.max(0, there - now);
  if (!(Math.abs(difference) > MAX_DIFFERENCE_MS)) return [];
  const seconds = counted(Math.round(Math.abs(difference) / 1000), 'second');
  const side = difference > 0 ? 'ahead of' : 'behind';
  return [{ says: `The clock of the server is ${seconds} ${side} the clock of this machine.`, advice: SYNCHRONIZE }];
}

function proxyProblems(
  { forwarded }: Ready,
  { baseUrl, trustProxy }: { baseUrl: string; trustProxy: number },
): Problem[] {
  const addresses = forwarded?.addresses ?? 0;
  const set = `Set --trust-proxy ${addresses} (PARLANCE_TRUST_PROXY)`;
  const counts = `The proxies add ${counted(addresses, 'address', 'addresses')} to X-Forwarded-For, and --trust-proxy is ${trustProxy}:`;
  if (addresses > trustProxy)
    return [{ says: `${counts} all users share the rate limits of a proxy.`, advice: `${set}.` }];
  if (addresses < trustProxy)
    return [
      {
        says: `${counts} clients can choose the address in limits and in the audit log.`,
        advice: `${set}, or let the proxy add the header.`,
      },
    ];
  if (trustProxy === 0 || !baseUrl.startsWith('https:') || forwarded?.proto?.startsWith('https')) return [];
  return [
    {
      says: 'The proxy does not send X-Forwarded-Proto: https, so login cookies are not limited to TLS.',
      advice: 'Set the header in the proxy, as in examples/deploy/nginx.conf.',
    },
  ];
}
