// Written by `npm run documents` from mail-reader-program.ts; a test compares.

/** The compiled program of a reader thread. */
export const MAIL_READER_PROGRAM = `\
"use strict";
(() => {
  var __require = /* @__PURE__ */ ((x) => typeof require !== "undefined" ? require : typeof Proxy !== "undefined" ? new Proxy(x, {
    get: (a, b) => (typeof require !== "undefined" ? require : a)[b]
  }) : x)(function(x) {
    if (typeof require !== "undefined") return require.apply(this, arguments);
    throw Error('Dynamic require of "' + x + '" is not supported');
  });

  // lib/chat/mail/mail-reader-program.ts
  var import_node_worker_threads = __require("node:worker_threads");

  // lib/rules/mail-addresses.ts
  var OPTIONS = ["show-sender", "include-footer", "include-quotes", "prefer-html"];
  var DAY_MS = 24 * 36e5;
  var FORM = /^([rc])((?:[0-9a-z]{1,11}-){3,4})([0-9a-z]{25})$/;
  var MAX_ID = Number.MAX_SAFE_INTEGER;
  function readMailAddress(address, domain) {
    const at = address.lastIndexOf("@");
    if (at > 320 || address.slice(at + 1).toLowerCase() !== domain.toLowerCase()) return void 0;
    const [mailbox = "", ...asked] = address.slice(0, at).toLowerCase().split("+");
    const [, letter, body = "", signature = ""] = FORM.exec(mailbox) ?? [];
    const numbers = body.split("-").slice(0, -1).map((digits) => Number.parseInt(digits, 36));
    if (numbers.some((number) => number > MAX_ID)) return void 0;
    const [userId = 0, second = 0, third = 0, expiresOn] = numbers;
    const options = new Set(OPTIONS.filter((option) => asked.includes(option)));
    if (letter === "r" && expiresOn !== void 0)
      return {
        place: { kind: "reply", userId, messageId: second, conversationId: third, expiresOn },
        options,
        signature
      };
    if (letter === "c" && expiresOn === void 0)
      return { place: { kind: "channel", userId, channelId: second, senderId: third }, options, signature };
    return void 0;
  }

  // lib/chat/mail/authentication-results.ts
  function isAuthenticated(headers, from, server) {
    const domain = from.address.slice(from.address.lastIndexOf("@") + 1).toLowerCase();
    const { results, hasQuotedAddress } = ownHeader(headers, server);
    if (hasQuotedAddress || results.some(isFailureOfDmarc)) return false;
    return results.some((result) => isForDomain(result, domain));
  }
  var isForged = (headers, server) => ownHeader(headers, server).results.some(isFailureOfDmarc);
  var isFailureOfDmarc = ({ method, result }) => method === "dmarc" && result === "fail";
  var NO_HEADER = { id: "", results: [], hasQuotedAddress: false };
  function ownHeader(headers, { authservId }) {
    if (authservId === void 0) return NO_HEADER;
    return headers.map(readHeader).find(({ id }) => id === authservId.toLowerCase()) ?? NO_HEADER;
  }
  var isAligned = (signer, domain) => signer !== "" && (domain === signer || signer.includes(".") && domain.endsWith(\`.\${signer}\`));
  var ADDRESS = /^(?:[^\\s@"\\\\]*@)?([a-z0-9.-]+)$/;
  function isForDomain({ method, result, properties }, domain) {
    if (result !== "pass") return false;
    const domainIn = (name) => ADDRESS.exec(properties.get(name) ?? "")?.[1] ?? "";
    if (method === "dmarc") return domainIn("header.from") === domain;
    if (method === "dkim") return isAligned(domainIn("header.d"), domain);
    return method === "spf" && isAligned(domainIn("smtp.mailfrom"), domain);
  }
  function readHeader(value) {
    const [head = "", ...parts] = splitOutsideQuotes(withoutComments(value));
    const results = parts.map((part) => {
      const pairs = [...part.matchAll(/([\\w.-]+)\\s*=\\s*((?:"(?:\\\\.|[^"\\\\])*"|[^\\s"])+)/g)].map(
        ([, name = "", value2 = ""]) => [name.toLowerCase(), value2.replace(/^"((?:\\\\.|[^"\\\\])*)"$/, "$1").toLowerCase()]
      );
      const [[method = "", result = ""] = [], ...properties] = pairs;
      const found = new Map(properties);
      return { method, result, properties: found.size === properties.length ? found : /* @__PURE__ */ new Map() };
    });
    const id = head.trim().split(/\\s+/)[0]?.toLowerCase() ?? "";
    return { id, results, hasQuotedAddress: /"\\s*@/.test(value) };
  }
  function withoutComments(value) {
    let kept = "";
    let depth = 0;
    let isQuoted = false;
    for (let at = 0; at < value.length; at++) {
      const sign = value.charAt(at);
      if (sign === "\\\\") {
        if (depth === 0) kept += value.slice(at, at + 2);
        at++;
      } else if (isQuoted || sign === '"' && depth === 0) {
        if (sign === '"') isQuoted = !isQuoted;
        kept += sign;
      } else if (sign === "(") depth++;
      else if (sign === ")") depth = Math.max(0, depth - 1);
      else if (depth === 0) kept += sign;
    }
    return kept;
  }
  var splitOutsideQuotes = (value) => value.match(/(?:"(?:\\\\.|[^"\\\\])*"|[^;"]|"(?=[^"]*$))+/g) ?? [];

  // lib/chat/mail/reply-text.ts
  var MAX_TEXT = 1e5;
  var MAX_HTML = 1e6;
  function replyText({ ReplyParser }, text, terms) {
    const given = text.slice(0, MAX_TEXT).replace(/\\r\\n?/g, "\\n").replaceAll("\\xA0", " ");
    if (terms.keepsQuotes && terms.keepsFooter) return given.trim();
    const shortened = withoutBlankLines(given);
    const fragments = new ReplyParser().read(terms.keepsQuotes ? shortened : withoutCopiedHeaders(shortened)).getFragments();
    const kept = fragments.flatMap((part, at) => {
      if (part.isQuoted() && !terms.keepsQuotes) return [];
      if (part.isSignature() && !terms.keepsFooter) return [];
      const isBeforeQuote = !terms.keepsQuotes && fragments[at + 1]?.isQuoted();
      return [isBeforeQuote ? part.getContent().replace(INTRODUCTION, "") : part.getContent()];
    });
    const reply = kept.join("\\n\\n").replace(/\\n{3,}/g, "\\n\\n").trim();
    return terms.keepsFooter ? reply : reply.replace(FOOTER, "").trim();
  }
  var withoutBlankLines = (text) => text.split("\\n").filter((line, at, lines) => line.trim() !== "" || lines[at - 1]?.trim() !== "").join("\\n");
  var INTRODUCTION = /(?:^|\\n)[^\\n]{0,300}\\n?[^\\n]{0,300}<\\s?[^\\s<>]+@[^\\s<>]+>[^\\n]{0,60}[:：]\\s*$/u;
  var FOOTER = /(?:^|\\n\\n)(?:Sent (?:with|via|using) |Von mein\\w+ .{1,40} gesendet)[^\\n]{0,80}$/;
  var HEADER_LINE = new RegExp("^\\\\s*\\\\*{0,2}\\\\p{L}[\\\\p{L} .-]{0,30}?\\\\s?[:\\uFF1A]\\\\*{0,2}\\\\s", "u");
  function withoutCopiedHeaders(text) {
    const lines = text.split("\\n");
    const first = lines.findIndex(
      (line, at) => /[<[][^\\s<>@]+@[^\\s<>]+[>\\]]/.test(line) && lines.slice(at, at + 3).every((next) => HEADER_LINE.test(next))
    );
    return first === -1 ? text : lines.slice(0, first).join("\\n");
  }
  async function htmlToMarkdown({ loadTurndown }, html, terms) {
    const Turndown = await loadTurndown();
    const converter = new Turndown({
      headingStyle: "atx",
      codeBlockStyle: "fenced",
      bulletListMarker: "*",
      emDelimiter: "*",
      hr: "---"
    });
    converter.escape = (text) => text;
    converter.remove(["script", "style", "title", "head", "noscript", "iframe", "object"]);
    converter.addRule("pictures", {
      filter: "img",
      replacement: (_, node) => node.getAttribute("alt") ?? ""
    });
    if (!terms.keepsQuotes) converter.addRule("quotes", { filter: isQuote, replacement: () => "" });
    if (!terms.keepsFooter) converter.addRule("footers", { filter: isFooter, replacement: () => "" });
    return converter.turndown(html.slice(0, MAX_HTML)).replace(/\\n{3,}/g, "\\n\\n");
  }
  var classesOf = (node) => \` \${node.getAttribute("class") ?? ""} \`;
  var idOf = (node) => node.getAttribute("id") ?? "";
  var isQuote = (node) => node.nodeName === "BLOCKQUOTE" && node.getAttribute("type") === "cite" || / (gmail_quote|gmail_quote_container|moz-cite-prefix|yahoo_quoted|protonmail_quote|tutanota_quote) /.test(
    classesOf(node)
  );
  var isFooter = (node) => / (gmail_signature|moz-signature|protonmail_signature_block) /.test(classesOf(node)) || /^(Signature|AppleMailSignature|ms-outlook-mobile-signature)$/.test(idOf(node));

  // lib/chat/mail/read-mail.ts
  var MAX_RECIPIENTS = 20;
  var MAX_ATTACHMENTS = 20;
  var MIME_LIMITS = { maxHeadersSize: 256 * 1024, maxNestingDepth: 20, forceRfc822Attachments: true };
  var MAX_SUBJECT = 1e3;
  var MAX_ID2 = 1e3;
  async function readMail(libraries, raw, terms) {
    const { PostalMime } = libraries;
    const email = await PostalMime.parse(raw, { ...MIME_LIMITS, attachmentEncoding: "arraybuffer" });
    const from = fromOf(PostalMime, email.headers);
    const attachments = email.attachments.slice(0, MAX_ATTACHMENTS).map(({ filename, mimeType, content }) => ({
      name: filename ?? "",
      type: mimeType,
      // A copy, because the parser may return a view of the whole e-mail.
      content: new Uint8Array(content)
    }));
    const recipients = terms.recipients ?? headerRecipients(PostalMime, email.headers);
    const found = recipients.flatMap((recipient) => {
      const address = readMailAddress(recipient, terms.domain);
      return address ? [{ recipient, options: address.options }] : [];
    });
    const results = valuesOf(email.headers, "authentication-results");
    return {
      from,
      isAuthenticated: from !== void 0 && isAuthenticated(results, from, terms),
      isForged: isForged(results, terms),
      isAutomatic: isAutomatic(email.headers),
      messageId: (email.messageId ?? "").slice(0, MAX_ID2),
      returnPath: returnPathOf(email.headers),
      subject: (email.subject ?? "").slice(0, MAX_SUBJECT),
      deliveries: await Promise.all(
        found.slice(0, MAX_RECIPIENTS).map(async ({ recipient, options }) => ({
          recipient,
          content: await contentOf(libraries, email, options)
        }))
      ),
      attachments,
      more: email.attachments.length - attachments.length
    };
  }
  var valuesOf = (headers, name) => headers.filter(({ key }) => key === name).map(({ value }) => value);
  function fromOf(PostalMime, headers) {
    const senders = valuesOf(headers, "from").flatMap((value) => PostalMime.addressParser(value, { flatten: true }));
    const [only] = senders;
    if (senders.length !== 1 || !only?.address) return void 0;
    return { name: PostalMime.decodeWords(only.name), address: only.address };
  }
  function returnPathOf(headers) {
    const [path] = valuesOf(headers, "return-path");
    return path === void 0 ? void 0 : (/<([^<>]*)>/.exec(path)?.[1] ?? path).trim();
  }
  var RECIPIENT_HEADERS = ["x-original-to", "envelope-to", "delivered-to", "to", "cc"];
  function headerRecipients(PostalMime, headers) {
    const values = RECIPIENT_HEADERS.flatMap((name) => valuesOf(headers, name));
    const mailboxes = values.flatMap((value) => PostalMime.addressParser(value, { flatten: true }));
    return [...new Set(mailboxes.flatMap(({ address }) => address ?? []))];
  }
  function isAutomatic(headers) {
    const has = (name, pattern) => valuesOf(headers, name).some((value) => pattern.test(value.trim()));
    return has("auto-submitted", /^(?!no\\b)/i) || has("precedence", /^(bulk|junk|list)\\b/i) || has("x-autoreply", /^/) || has("x-autorespond", /^/) || has("content-type", /^multipart\\/report\\b/i) || // An e-mail of a chat that came back.
    has("message-id", /^<parlance\\./);
  }
  async function contentOf(libraries, { text, html }, options) {
    const isHtml = html !== void 0 && (options.has("prefer-html") || !text?.trim());
    const terms = { keepsQuotes: options.has("include-quotes"), keepsFooter: options.has("include-footer") };
    const markdown = isHtml ? await htmlToMarkdown(libraries, html, terms) : text ?? "";
    return replyText(libraries, markdown, terms);
  }

  // lib/chat/mail/mail-reader-program.ts
  process.emitWarning = () => void 0;
  async function read({ modules, raw, terms }) {
    const { default: PostalMime } = await import(modules.PostalMime);
    const { default: ReplyParser } = await import(modules.ReplyParser);
    const loadTurndown = async () => (await import(modules.Turndown)).default;
    const mail = await readMail({ PostalMime, ReplyParser, loadTurndown }, raw, terms);
    import_node_worker_threads.parentPort?.postMessage(
      mail,
      mail.attachments.map(({ content }) => content.buffer)
    );
  }
  void read(import_node_worker_threads.workerData);
})();
`;
