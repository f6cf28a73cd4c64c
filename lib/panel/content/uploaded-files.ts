/** Files of the chat in a page of another site, which need temporary addresses, and files of other sites. */
import type { Session } from '../../chat/session.ts';
import type { ConversationWords } from '../words/conversation-words.ts';

const UPLOAD = /\/user_uploads\/(?:thumbnail\/|download\/)?(\d+)\/([\w-]+\/[\w-]+\/[^/?#]+)(\/[\w.-]+)?/;
/** A temporary address works for a minute. An earlier failure has another cause, so a new address would not help. */
const RENEW_AFTER_MS = 50_000;

interface UploadPath {
  readonly realm_id_str: string;
  readonly filename: string;
  /** `/840x560.webp`, or empty for the file itself. */
  readonly thumbnail: string;
}

/** The path of an uploaded file in its address. */
function uploadIn(address: string): UploadPath | undefined {
  const [, realm_id_str = '', rest = '', thumbnail = ''] = UPLOAD.exec(address) ?? [];
  if (rest === '') return undefined;
  try {
    return { realm_id_str, filename: decodeURIComponent(rest), thumbnail };
  } catch {
    return undefined;
  }
}

/** An address that works without login for one minute. @throws ChatError */
async function temporaryAddress(session: Session, site: string, address: string): Promise<string> {
  const upload = uploadIn(address);
  if (!upload) return address;
  const { thumbnail, ...path } = upload;
  const { url } = await session.uploads.getTemporaryUrl(path);
  return new URL(url + thumbnail, site).href;
}

export async function loadAgain(media: HTMLImageElement | HTMLMediaElement, session: Session, site: string) {
  const { source, renewedAt } = media.dataset;
  if (!source || !uploadIn(source) || Date.now() - Number(renewedAt ?? 0) < RENEW_AFTER_MS) return;
  media.dataset.renewedAt = String(Date.now());
  const position = media instanceof HTMLMediaElement ? media.currentTime : 0;
  try {
    media.src = await temporaryAddress(session, site, source);
    if (position > 0 && media instanceof HTMLMediaElement) media.currentTime = position;
  } catch {
    // The browser shows the name of the file.
  }
}

/** Shows a file in a window that is open. */
export async function openFile(opened: Window | null, session: Session, site: string, address: string): Promise<void> {
  if (opened) opened.opener = null;
  try {
    const url = await temporaryAddress(session, site, address);
    if (opened) opened.location.replace(url);
  } catch (error) {
    opened?.close();
    throw error;
  }
}

/** Shows the image or player of a button that was pressed. */
export function loadExternal(button: HTMLButtonElement, words: ConversationWords): void {
  const { kind, source = '', name = '' } = button.dataset;
  const media = document.createElement(kind === 'audio' || kind === 'video' ? kind : 'img');
  if (media instanceof HTMLImageElement) media.alt = name;
  else {
    media.controls = true;
    media.setAttribute('aria-label', name);
  }
  media.addEventListener('error', () => media.replaceWith(`${words.mediaFailed} `), { once: true });
  (media as HTMLImageElement).referrerPolicy = 'no-referrer';
  media.src = source;
  button.replaceWith(media);
}
