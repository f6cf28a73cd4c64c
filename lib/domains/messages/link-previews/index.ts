import { createHash } from 'node:crypto';
import { fetchLinkPreview, pageAddress, TIMEOUT_MS } from '../../../adapters/link-pages.ts';
import { OutgoingCallFailed } from '../../../adapters/outgoing-calls.ts';
import { withLinkPreviews } from '../../../markdown/link-previews.ts';
import type { LinkPreview } from '../../../model/link-preview.ts';
import { type DueWork, defineFeature, defineOutboxKind, inBatches } from '../../../operation/feature.ts';
import { organizationSetting } from '../../../rules/organization-settings.ts';
import type { PlacedMessage } from '../../../storage/interface/messages.ts';
import type { Services, WriteContext } from '../../../viewer/context.ts';
import type { ChangedMessage } from '../../../viewer/message-changes.ts';
import { contentDigest } from '../editing/content-edit.ts';
import { emitRendering } from '../editing/rendering.ts';

const HOUR_MS = 3_600_000;
/** How long the chat knows a page. It fetches a page that failed, or has no preview, again sooner. */
const KEPT_MS = 24 * HOUR_MS;
const KEPT_WITHOUT_PREVIEW_MS = HOUR_MS;
/** Fetches a minute: of the messages of one account, and in total. Links above it have no preview. */
const MAX_PER_MINUTE = { own: 20, all: 300 };
/** How long after its timeout a fetch counts as lost with its process. */
const LOST_AFTER_MS = 30_000;
/** Pause before looking again for a page that another job is fetching. */
const WAIT_MS = 2_000;
const ROWS_PER_TRANSACTION = 500;

export interface PreviewJob {
  message_id: number;
  /** Of the content with the links. An edit has a job of its own. */
  digest: string;
  urls: readonly string[];
}

const linkPreviews = defineOutboxKind<PreviewJob>('link previews', {
  // Each message has up to five pages.
  concurrency: 5,
  async perform(services, job) {
    const options = services.options.linkPreviews;
    if (!options) return;
    const claimed = await services.asSystem('mark', (context) => claimPages(context, job));
    const fetched = await Promise.all(
      claimed.map(async (url) => ({ key: keyOf(url), preview: await fetchedPreview(services, url) })),
    );
    await services.asSystem('append', async (context) => {
      const { tx, now } = context;
      for (const { key, preview } of fetched) {
        const expires_ms = now + (preview ? KEPT_MS : KEPT_WITHOUT_PREVIEW_MS);
        await tx.linkPreviews.store({ key, preview, now, expires_ms });
      }
      await showPreviews(context, job);
    });
  },
});

/** Returns the pages that this job has to fetch. */
async function claimPages(context: WriteContext, job: PreviewJob): Promise<string[]> {
  const { tx, now, services } = context;
  const message = await currentMessage(context, job);
  if (!message) return [];
  const { timeoutMs = TIMEOUT_MS } = services.options.linkPreviews ?? {};
  const known = await knownPages(context, job);
  const unknown = job.urls.filter((url) => !known.has(keyOf(url)));
  if (unknown.length === 0) return [];
  const claimedNow = await tx.linkPreviews.claimedSince(message.sender_id, now - 60_000);
  const room = Math.min(MAX_PER_MINUTE.own - claimedNow.own, MAX_PER_MINUTE.all - claimedNow.all);
  const keys = [...new Set(unknown.map(keyOf))].slice(0, Math.max(0, room));
  const untilMs = now + timeoutMs + LOST_AFTER_MS;
  const claimed = await tx.linkPreviews.claim(keys, { account_id: message.sender_id, now, untilMs });
  return claimed.flatMap((key) => unknown.find((url) => keyOf(url) === key) ?? []);
}

async function fetchedPreview({ options }: Services, url: string): Promise<LinkPreview | null> {
  try {
    return (await fetchLinkPreview(url, options.linkPreviews)) ?? null;
  } catch (error) {
    if (error instanceof OutgoingCallFailed) return null;
    throw error;
  }
}

/** Adds the known previews to the message. Looks again later for pages that another job is fetching. */
async function showPreviews(context: WriteContext, job: PreviewJob): Promise<void> {
  const { tx, now, enqueue } = context;
  const message = await currentMessage(context, job);
  if (!message) return;
  const known = await knownPages(context, job);
  const rendered_content = withLinkPreviews(
    message.rendered_content,
    job.urls,
    (url) => known.get(keyOf(url))?.preview ?? undefined,
  );
  if (rendered_content !== message.rendered_content) {
    await tx.messages.setRendered(message.id, rendered_content);
    await emitRendering(context, { ...message, rendered_content });
  }
  if ([...known.values()].some(({ is_fetched }) => !is_fetched)) enqueue(linkPreviews(job, { due_ms: now + WAIT_MS }));
}

/** Undefined if the message was deleted or edited since, or if the organization has turned previews off. */
async function currentMessage(context: WriteContext, job: PreviewJob): Promise<PlacedMessage | undefined> {
  if (!organizationSetting(context.organization, 'inline_url_embed_preview')) return undefined;
  const message = await context.tx.messages.byId(job.message_id);
  return message && contentDigest(message.content) === job.digest ? message : undefined;
}

async function knownPages({ tx, now }: WriteContext, { urls }: PreviewJob) {
  const known = await tx.linkPreviews.byKeys(urls.map(keyOf), now);
  return new Map(known.map((page) => [page.key, page]));
}

const keyOf = (url: string) =>
  createHash('sha256')
    .update(pageAddress(url)?.href ?? url)
    .digest('hex');

/** The sending never waits for a page. */
async function fetchLater(context: WriteContext, messages: readonly ChangedMessage[]): Promise<void> {
  const { origin } = new URL(context.services.options.baseUrl);
  for (const { message, previewed } of messages) {
    const urls = previewed.filter((url) => {
      const page = pageAddress(url);
      return page && page.origin !== origin;
    });
    if (urls.length === 0) continue;
    context.enqueue(linkPreviews({ message_id: message.id, digest: contentDigest(message.content), urls }));
  }
}

const expiredPreviews: DueWork = {
  name: 'expired link previews',
  isHousekeeping: true,
  nextDue: (tx) => tx.linkPreviews.nextExpiry(),
  run({ storage, clock }, isStopping) {
    const now = clock.now();
    return inBatches(ROWS_PER_TRANSACTION, isStopping, () =>
      storage.write((tx) => tx.linkPreviews.removeExpired(now, ROWS_PER_TRANSACTION), 'silent'),
    );
  },
};

/**
 * Previews of links. After the sending or an edit, a job fetches the linked pages. It adds their titles, descriptions
 * and pictures to the HTML of the message. One fetch serves all messages until the page expires. The outbox item
 * survives a crash. When the claim of the dead process ends, another one fetches the page again.
 */
export const messageLinkPreviews = defineFeature({
  operations: [],
  outbox: [linkPreviews],
  dueWork: [expiredPreviews],
  consequences: {
    sent: { of: 'with links', react: fetchLater },
    edited: (context, edit) => fetchLater(context, [edit]),
  },
});
