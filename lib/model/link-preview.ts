/** What a linked page says about itself. */
export interface LinkPreview {
  title: string;
  /** May be empty. */
  description: string;
  /** Address of a picture: http or https, without quotation marks and backslashes. */
  image: string;
}
