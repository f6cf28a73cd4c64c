/** The subscription of a browser, with the keys of the example of RFC 8291. */
export const BROWSER = {
  endpoint: 'https://push.example.com/send/c0ffee',
  public_key: 'BIPUL12DLfytvTajnryr2PRdAgXS3HGKiLqndGcJGabyhHheJYlNGCeXl1dn18gSJ1WAkAPIxr4gK0_dQds4yiI',
  auth_secret: 'FPssNDTKnInHVndSTdbKFw',
};
