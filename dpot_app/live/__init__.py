"""Pictures that follow a slider: frames on their way to the browser, and the JavaScript that shows them there."""
