"""Results in, Plotly figures out: one module per page. No computing, no Streamlit."""
